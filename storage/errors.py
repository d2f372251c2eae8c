"""What can go wrong below the reasoning.

StorageError
├── ServerUnavailable        (retryable)
├── QueryTooSlow             (retryable)
├── DatabaseDamaged
├── DatabaseTooOld
├── DatabaseTooNew
├── ExtensionMissing
├── HomeUnusable
├── EncoderMismatch
├── StatementRefused
├── KeysUnusable
├── SealBroken
├── ReceiverRunning
├── ClaimLost
├── QuestionChanged          (retryable)
├── NotThere
├── NotPermitted
├── ReasonMissing
├── ReviewRefused
├── AccountRefused
├── LoginThrottled           (retryable)
├── AuditBroken
└── OnHold
"""

from __future__ import annotations

from config.errors import BAD_USAGE, CareciteError


class StorageError(CareciteError):
    """The database could not do what was asked."""


class ServerUnavailable(StorageError):
    """The PostgreSQL server cannot be reached."""

    retryable = True
    remedy = "Check CARECITE_CORPUS_URL and CARECITE_HISTORY_URL, or unset both to use the embedded server."


class QueryTooSlow(StorageError):
    """The database did not answer in time."""

    retryable = True
    remedy = "Try again; if it stays so, run `carecite db upgrade`, which rebuilds broken indexes."


class DatabaseDamaged(StorageError):
    """A table or an index of the database is missing, broken, or may not be used."""

    remedy = "Run `carecite db status`; if a table is missing, restore the database from its backup."


class DatabaseTooOld(StorageError):
    """The PostgreSQL server or its pgvector is too old: PostgreSQL 15 and pgvector 0.8.4 are the least."""

    remedy = (
        "Update the server, or unset CARECITE_CORPUS_URL and CARECITE_HISTORY_URL to use the embedded one."
    )


class DatabaseTooNew(StorageError):
    """The database was written by a newer carecite."""

    remedy = "Update carecite, or point CARECITE_HOME (or the database URLs) to another place."


class ExtensionMissing(StorageError):
    """The extension `vector` is missing and this user may not create it."""

    remedy = "Ask the administrator to run, as a superuser in that database: CREATE EXTENSION vector;"


class HomeUnusable(StorageError):
    """The data folder cannot be used."""

    remedy = "Set CARECITE_HOME to a folder that you may write to."


class EncoderMismatch(StorageError):
    """The index was made by another encoder than the one in the settings."""

    remedy = "Set CARECITE_ENCODER back, or run `carecite db add-encoder` to embed the corpus anew."


class StatementRefused(StorageError):
    """The database refused a statement."""

    remedy = "This is a mistake of carecite: please report it with the code."


class KeysUnusable(StorageError):
    """The keys that protect platform ids cannot be used."""

    remedy = "Set CARECITE_CHAT_HASH_KEY and CARECITE_CHAT_SEALING_KEYS, or neither of them."


class SealBroken(StorageError):
    """A sealed value cannot be opened: its key is missing, or it was changed."""

    remedy = "Put the key that sealed it back into CARECITE_CHAT_SEALING_KEYS, behind the first one."


class ReceiverRunning(StorageError):
    """Another process receives for this bot."""

    remedy = "End it first, or give each of them a bot of its own; `carecite worker` may run beside it."


class ClaimLost(StorageError):
    """The question was withdrawn, finished, or given to another worker meanwhile."""

    remedy = "There is nothing to do: end the job without an error."


class QuestionChanged(StorageError):
    """The question was edited while it was worked on."""

    retryable = True
    remedy = "Claim it again and answer the new words."


class NotThere(StorageError):
    """There is nothing by this id that you may see."""

    remedy = "Look it up with `carecite history list`, or ask an administrator for access to its workspace."
    exit_code = BAD_USAGE


class NotPermitted(StorageError):
    """Your roles do not allow this."""

    remedy = "Ask an administrator for the role that does."
    exit_code = BAD_USAGE


class ReasonMissing(StorageError):
    """This needs a reason, which the audit keeps."""

    remedy = "Say in a few words why, without naming a patient."
    exit_code = BAD_USAGE


class ReviewRefused(StorageError):
    """This review cannot be taken."""

    remedy = "Open the answer again: somebody may have reviewed it meanwhile."
    exit_code = BAD_USAGE


class AccountRefused(StorageError):
    """This account cannot be made or changed so."""

    remedy = "Choose another login, a longer password, or a role that exists."
    exit_code = BAD_USAGE


class LoginThrottled(StorageError):
    """Too many failed logins."""

    retryable = True
    remedy = "Wait a quarter of an hour."


class AuditBroken(StorageError):
    """The audit is not as it was written."""

    remedy = "Keep the database as it is, and compare it with a backup from before."
    exit_code = 1


class OnHold(StorageError):
    """A legal hold covers this; nothing was erased."""

    remedy = "Lift the hold first, if you may."
    exit_code = BAD_USAGE
