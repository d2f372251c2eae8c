"""Case F16: the end of the text reaches the encoder."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from reasoning.encoders import TextTooLong
from reasoning.encoders.sentence_encoder import SentenceEncoder

SHARED = Path(os.environ.get("CARECITE_TEST_SHARED", Path(__file__).parents[3].parent / "shared"))


@pytest.mark.parametrize("encoder", ["minilm", "medcpt"])
def test_a_text_of_three_windows_is_refused_whole_and_embedded_in_parts(
    encoder: str, request: pytest.FixtureRequest
) -> None:
    model: SentenceEncoder = request.getfixturevalue(encoder)
    sentence, tail = "fever in children is common . ", "aspirin thins the blood ."
    text = sentence * (3 * model.manifest.passage_max_tokens // model.count_tokens([sentence])[0] + 1) + tail
    with pytest.raises(TextTooLong, match=r"no\. 0"):
        model.encode_passages([("", text)])
    parts = model._passage_tokens.split(text, model.budget.limit)
    assert "".join(parts) == text
    whole, beheaded = model.encode_passages([("", parts[-1]), ("", parts[-1].removesuffix(tail))])
    assert not np.allclose(whole, beheaded, atol=1e-4)


@pytest.mark.shared_data
def test_the_case(minilm: SentenceEncoder) -> None:
    path = SHARED / "cases" / "inputs" / "F16_long_text.json"
    if not path.is_file():
        pytest.skip(f"{path} is absent")
    case = json.loads(path.read_text())
    room = minilm.budget.limit
    for text in (case["head"] + case["filler"] * 80 + case["tail"], case["dense_tokens"] * 40):
        with pytest.raises(TextTooLong):
            minilm.encode_passages([("A title", text)])
        parts = minilm._passage_tokens.split(text, room)
        assert max(minilm.measure_passages([("A title " * 40, part) for part in parts])) <= 256
    ending = minilm._passage_tokens.split(case["head"] + case["filler"] * 80 + case["tail"], room)[-1]
    assert ending.endswith(case["tail"])
    whole, beheaded = minilm.encode_passages([("", ending), ("", ending.removesuffix(case["tail"]))])
    assert not np.allclose(whole, beheaded, atol=1e-4)
