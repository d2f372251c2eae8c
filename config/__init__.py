"""Settings and everything that ships as a file: prompts, lexicons, notices, the starter library."""

from config.settings import ModelEndpoint, Settings, SettingsError, bare_names, load_settings, setting_names

__all__ = ["ModelEndpoint", "Settings", "SettingsError", "bare_names", "load_settings", "setting_names"]
