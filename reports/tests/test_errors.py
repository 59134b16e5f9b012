"""What a person reads of input that cannot be used."""

from __future__ import annotations

from ftlab.errors import InputError, echo, echo_name


def test_long_words_and_long_messages_lose_their_middle() -> None:
    value = "x" * 100_000
    said = str(InputError(f"sweep.toml: axis '{value}' is no key; leave it out"))
    assert said == f"sweep.toml: axis '{'x' * 99}...{'x' * 39}' is no key; leave it out"
    said = str(InputError(f"sweep.toml: {'y ' * 50_000}is too much; leave it out"))
    assert len(said) == 1503
    assert said.startswith("sweep.toml: y y ")
    assert said.endswith(" y y is too much; leave it out")


def test_other_messages_are_shown_whole() -> None:
    message = f"{'/folder' * 40}/sweep.toml: axis 'a b' is no key; leave it out"
    assert str(InputError(message)) == message


def test_values_lose_their_middle_too() -> None:
    assert echo_name("x" * 80) == "x" * 80
    assert echo_name("a" * 70 + "b" * 30) == f"{'a' * 60}...{'b' * 20}"
    assert echo(["x" * 100]) == f"['{'x' * 58}...{'x' * 18}']"
