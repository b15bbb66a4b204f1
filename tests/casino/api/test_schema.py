"""The interface against its own description: whatever is sent, the answer is one that the description names."""

from typing import Any

import pytest
import schemathesis
from django.core.wsgi import get_wsgi_application
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_schema_conformance,
    status_code_conformance,
)

from tests.casino.api.conftest import Terminal

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    negative_data_rejection,
]


@pytest.mark.filterwarnings("ignore")
def test_whatever_is_sent_the_answer_is_described(playing: Terminal) -> None:
    headers = {"Authorization": playing.client._credentials["HTTP_AUTHORIZATION"]}
    schema = schemathesis.openapi.from_wsgi("/api/schema/?format=json", get_wsgi_application(), headers=headers)
    faults = []
    for operation in (result.ok() for result in schema.get_all_operations()):
        try:
            send(operation, headers)
        except Exception as fault:
            faults.append(f"{operation.label}\n{fault}")
    assert not faults, "\n\n".join(faults)


def send(operation: Any, headers: dict[str, str]) -> None:
    """Six cases to one operation, each checked."""

    @given(case=operation.as_strategy())
    @settings(max_examples=6, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    def one(case: Any) -> None:
        case.call_and_validate(headers=headers, checks=CHECKS)

    one()
