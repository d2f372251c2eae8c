"""The order of work is set up with events, so that no test depends on speed."""

import asyncio
import threading
from collections.abc import AsyncIterator
from functools import partial

import pytest

from reasoning.encoders.errors import EncoderClosed
from reasoning.encoders.model_thread import ModelThread


@pytest.fixture
async def thread() -> AsyncIterator[ModelThread]:
    thread = ModelThread()
    yield thread
    await thread.close()


async def hold(thread: ModelThread) -> tuple[threading.Event, asyncio.Task[bool]]:
    """Keep the thread busy until the event is set."""
    begun, release = threading.Event(), threading.Event()

    def work() -> bool:
        begun.set()
        return release.wait(30)

    task = asyncio.create_task(thread.run(work, urgent=False))
    await asyncio.to_thread(begun.wait, 30)
    return release, task


async def test_urgent_work_goes_first_and_the_loop_stays_free(thread: ModelThread) -> None:
    done: list[str] = []
    release, _ = await hold(thread)
    work = [("bulk 1", False), ("bulk 2", False), ("question", True)]
    tasks = [
        asyncio.create_task(thread.run(partial(done.append, name), urgent=hurry)) for name, hurry in work
    ]
    await asyncio.sleep(0)
    release.set()
    await asyncio.gather(*tasks)
    assert done == ["question", "bulk 1", "bulk 2"]


async def test_work_cancelled_while_it_waits_never_runs(thread: ModelThread) -> None:
    done: list[str] = []
    release, held = await hold(thread)
    waiting = asyncio.create_task(thread.run(partial(done.append, "cancelled"), urgent=True))
    after = asyncio.create_task(thread.run(partial(done.append, "after"), urgent=False))
    await asyncio.sleep(0)
    waiting.cancel()
    release.set()
    await asyncio.gather(held, after)
    assert done == ["after"]
    assert waiting.cancelled()


async def test_work_cancelled_while_it_runs_keeps_the_thread_until_it_ends(thread: ModelThread) -> None:
    release, held = await hold(thread)
    held.cancel()
    after = asyncio.create_task(thread.run(lambda: release.is_set(), urgent=True))
    await asyncio.sleep(0.01)
    assert not after.done()
    release.set()
    assert await after


async def test_turn_given_to_somebody_who_leaves_is_passed_on(thread: ModelThread) -> None:
    release, held = await hold(thread)
    leaver = asyncio.create_task(thread.run(lambda: 1, urgent=True))
    after = asyncio.create_task(thread.run(lambda: 2, urgent=True))
    await asyncio.sleep(0)
    held.add_done_callback(lambda _: leaver.cancel())
    release.set()
    assert await after == 2


async def test_an_error_reaches_the_caller_and_frees_the_thread(thread: ModelThread) -> None:
    with pytest.raises(ZeroDivisionError):
        await thread.run(lambda: 1 // 0, urgent=True)
    assert await thread.run(lambda: 3, urgent=False) == 3


async def test_close_lets_running_work_end_and_refuses_the_rest() -> None:
    thread = ModelThread()
    release, held = await hold(thread)
    waiting = asyncio.create_task(thread.run(lambda: 1, urgent=True))
    await asyncio.sleep(0)
    closing = asyncio.create_task(thread.close())
    with pytest.raises(EncoderClosed):
        await waiting
    release.set()
    assert await held
    await closing
    with pytest.raises(EncoderClosed):
        await thread.run(lambda: 1, urgent=True)
