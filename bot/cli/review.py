"""`carecite review`: the review in the browser, and the accounts of those who use it."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.running import examples, print_json, run, say
from config import load_settings

if TYPE_CHECKING:
    from storage.history.review import Account

app = typer.Typer(invoke_without_command=True, epilog=examples("carecite review"))
accounts = typer.Typer(no_args_is_help=True, help="Who may review: accounts, and what they may, where.")
app.add_typer(accounts, name="account")


class Role(StrEnum):
    reviewer = "reviewer"
    lead = "lead"
    auditor = "auditor"
    admin = "admin"


_Id = Annotated[int, typer.Argument(metavar="ID", help="Number of the account, as `list` prints it.")]
_Role = Annotated[Role, typer.Argument(help="What they may.")]
_Where = Annotated[
    str,
    typer.Option(
        "--workspace", "-w", help="Where they may: slack:T…, telegram:ID of the bot, or all of them."
    ),
]


@app.callback()
def serve(context: typer.Context) -> None:
    """Serve the review in the browser: what was asked and answered, on what evidence, and was it right.

    CARECITE_REVIEW_URL names the https address of the proxy before it; CARECITE_REVIEW_PLAIN_HTTP=true is for
    a trial on this machine alone. The first account is made by `carecite review account add`.
    """
    if context.invoked_subcommand is not None:
        return
    from bot.logs import set_up_logs
    from bot.reviewing import review

    settings = load_settings()
    set_up_logs(settings)
    run(review(settings, say))


@accounts.command(
    epilog=examples(
        'carecite review account add "Ward 3" --login ward3 --role reviewer --workspace slack:T0123456',
        "carecite review account add Ward4 --issuer https://idp.example --subject 1234 --role lead -w all",
    )
)
def add(
    name: Annotated[str, typer.Argument(help="How colleagues see them.")],
    login: Annotated[str | None, typer.Option(help="For a local account; its password is asked for.")] = None,
    issuer: Annotated[str | None, typer.Option(help="For one that comes through OIDC: who vouches.")] = None,
    subject: Annotated[str | None, typer.Option(help="And how that one names them (`sub`).")] = None,
    role: Annotated[Role | None, typer.Option(help="What they may; `grant` gives more.")] = None,
    workspace: _Where = "",
) -> None:
    """Add an account. A local one, with password and authenticator, is for the day on which OIDC is down.

    A password is read from the terminal, or as a line of standard input.
    """
    if (login is None) == (issuer is None) or (issuer is None) != (subject is None):
        raise typer.BadParameter("Give --login, or --issuer and --subject.")
    if role is not None and not workspace:
        raise typer.BadParameter("Say where, or `all`.", param_hint="--workspace")
    password = _ask_password() if login is not None else ""
    account, address = run(_add(name, login, password, issuer, subject, role, workspace))
    typer.echo(f"account {account}")
    if address is not None:
        _show_code(address)
    if role is None:
        say(f"It may nothing yet: carecite review account grant {account} reviewer --workspace …")


@accounts.command("list", epilog=examples("carecite review account list --json"))
def list_(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List accounts with what they may."""
    for account in run(_list()):
        if as_json:
            print_json(json.dumps(asdict(account), ensure_ascii=False))
            continue
        grants = ", ".join(f"{role} in {'all' if where is None else where}" for role, where in account.grants)
        way = f"local {account.login}" if account.login else "oidc"
        state = ", disabled" if account.disabled else ""
        typer.echo(f"{account.id}  {account.name}  ({way}{state})  {grants or 'nothing'}")


@accounts.command(epilog=examples("carecite review account grant 3 auditor --workspace all"))
def grant(account: _Id, role: _Role, workspace: _Where) -> None:
    """Let somebody do more; they sign in anew."""
    run(_regrant(account, role, workspace, more=True))


@accounts.command(epilog=examples("carecite review account revoke 3 lead --workspace slack:T0123456"))
def revoke(account: _Id, role: _Role, workspace: _Where) -> None:
    """Take that away again, at once."""
    run(_regrant(account, role, workspace, more=False))


@accounts.command(
    epilog=examples("carecite review account disable 3", "carecite review account disable 3 --no")
)
def disable(
    account: _Id,
    disabled: Annotated[bool, typer.Option("--yes/--no", help="Let them in again with --no.")] = True,
) -> None:
    """Let somebody in no more; they are signed out at once."""
    run(_disable(account, disabled))


@accounts.command(epilog=examples("carecite review account renew 3"))
def renew(account: _Id) -> None:
    """Give a local account a new password and a new authenticator code; the old ones are good no more."""
    _show_code(run(_renew(account, _ask_password())))


def _ask_password() -> str:
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")


def _show_code(address: str) -> None:
    """The secret once, for an authenticator; it is never shown again."""
    typer.echo(address)
    say("Give this address to an authenticator (as a QR code, or its secret by hand); it is shown only now.")


async def _add(
    name: str,
    login: str | None,
    password: str,
    issuer: str | None,
    subject: str | None,
    role: Role | None,
    workspace: str,
) -> tuple[int, str | None]:
    from bot.reviewing import find_workspace, open_chat_store
    from storage.history.review import OPERATOR, open_review

    async with open_chat_store(load_settings(), say) as chat:
        where = await find_workspace(chat, workspace) if role is not None else None
        room, address = open_review(chat), None
        if login is not None:
            account, address = await room.accounts.add_local(OPERATOR, name, login, password)
        else:
            account = await room.accounts.add_oidc(OPERATOR, name, issuer or "", subject or "")
        if role is not None:
            await room.accounts.grant(OPERATOR, account, role.value, where)
    return account, address


async def _list() -> list[Account]:
    from bot.reviewing import open_review_room
    from storage.history.review import OPERATOR

    async with open_review_room(load_settings(), say) as room:
        return await room.accounts.list(OPERATOR)


async def _regrant(account: int, role: Role, workspace: str, *, more: bool) -> None:
    from bot.reviewing import find_workspace, open_chat_store
    from storage.history.review import OPERATOR, open_review

    async with open_chat_store(load_settings(), say) as chat:
        rooms = open_review(chat).accounts
        change = rooms.grant if more else rooms.revoke
        await change(OPERATOR, account, role.value, await find_workspace(chat, workspace))


async def _disable(account: int, disabled: bool) -> None:
    from bot.reviewing import open_review_room
    from storage.history.review import OPERATOR

    async with open_review_room(load_settings(), say) as room:
        await room.accounts.disable(OPERATOR, account, disabled=disabled)


async def _renew(account: int, password: str) -> str:
    from bot.reviewing import open_review_room
    from storage.history.review import OPERATOR

    async with open_review_room(load_settings(), say) as room:
        return await room.accounts.renew(OPERATOR, account, password)
