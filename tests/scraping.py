"""Reads the bot's metrics like Prometheus."""

import re
import socket
from dataclasses import dataclass

from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector
from prometheus_client.samples import Sample


@dataclass(frozen=True)
class Scrape:
    """A response with metrics."""

    text: str
    samples: tuple[Sample, ...]

    def __call__(self, name: str, **labels: str) -> float:
        """The sum of the samples with this name and these labels; there must be one."""
        found = [one for one in self.samples if one.name == name and labels.items() <= one.labels.items()]
        assert found, f"nothing is served as {name} {labels}"
        return sum(one.value for one in found)

    def by(self, label: str, name: str) -> dict[str, float]:
        """The samples with this name by a label's value, without zeros."""
        found = [one for one in self.samples if one.name == name]
        return {one.labels[label]: one.value for one in found if one.value}

    @property
    def names(self) -> set[str]:
        """All metric names, even those without samples yet."""
        kinds = re.findall(r"^# TYPE (\S+) (\w+)$", self.text, re.MULTILINE)
        histograms = [name for name, kind in kinds if kind == "histogram"]
        parts = {f"{name}_{part}" for name in histograms for part in ("bucket", "count", "sum")}
        return parts | {name for name, kind in kinds if kind != "histogram"}


def read(text: str) -> Scrape:
    """Parse such a response."""
    families = text_string_to_metric_families(text)
    return Scrape(text, tuple(sample for family in families for sample in family.samples))


def counted(collector: Collector) -> Scrape:
    """What this part of the program has counted."""
    return Scrape("", tuple(sample for metric in collector.collect() for sample in metric.samples))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port: int = unused.getsockname()[1]
    return port
