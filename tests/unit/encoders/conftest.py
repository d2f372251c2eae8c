import pytest
from tokenizers import Tokenizer

from reasoning.encoders.folders import packaged_minilm
from reasoning.encoders.tokens import Tokens


@pytest.fixture(scope="session")
def tokens() -> Tokens:
    """MiniLM's own tokenizer, whose file switches truncation at 128 and padding on."""
    return Tokens(Tokenizer.from_file(str(packaged_minilm() / "tokenizer.json")))
