"""Every way Clew can say no, as one tree.

ClewError
├── InvalidInput          the caller's object or file is wrong; names the field
│   ├── InvalidPolicy     a policy file is unreadable or out of range
│   ├── UnknownName       no such kernel, command target, format or persona
│   └── MessageReused     the same message_id came with another text
├── NotFound              the id names nothing in this scope
├── NotReady              onboarding is not finished; names what is missing
├── TurnInProgress        this message_id is being answered right now
├── TurnFailed            something of ours broke in mid turn; the words are kept
├── ModelFailure          the writer did not give a usable answer
│   ├── ModelTimeout
│   ├── ModelRateLimited
│   ├── ModelUnavailable
│   ├── ModelRefused      a wrong key, URL or model name: trying again cannot help
│   └── ModelGarbage
├── DeliveryFailed        a message could not be brought to where it should go
│   └── DeliveryRefused   and never will be: the address is gone or says no
└── StoreFailure          the database cannot serve
    ├── StoreLocked
    ├── StoreReadOnly
    ├── StoreConflict     a row with this key is there already
    ├── StoreNewer        written by a newer version of Clew
    └── StoreCorrupt      not a Clew database, or its journal disagrees

Each leaf says its stable code, a status hint for doors that speak HTTP,
whether trying again can help, and whose fault it is.
"""

from __future__ import annotations

from typing import ClassVar, Literal

Fault = Literal["caller", "model", "store", "clew"]


class ClewError(Exception):
    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False
    fault: ClassVar[Fault] = "clew"

    def __init__(self, message: str, *, pointer: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.pointer = pointer

    def as_dict(self) -> dict[str, object]:
        out: dict[str, object] = {"code": self.code, "message": self.message}
        if self.pointer is not None:
            out["pointer"] = self.pointer
        return out


class InvalidInput(ClewError):
    code = "invalid_input"
    status = 422
    fault = "caller"


class InvalidPolicy(InvalidInput):
    code = "invalid_policy"


class UnknownName(InvalidInput):
    code = "unknown_name"
    status = 404


class MessageReused(InvalidInput):
    code = "message_reused"


class NotFound(ClewError):
    code = "not_found"
    status = 404
    fault = "caller"


class NotReady(ClewError):
    code = "not_ready"
    status = 403
    fault = "caller"

    def __init__(self, message: str, *, missing: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.missing = missing


class TurnInProgress(ClewError):
    code = "turn_in_progress"
    status = 409
    retryable = True
    fault = "caller"


class TurnFailed(ClewError):
    code = "turn_failed"
    retryable = True

    def __init__(self, message: str, *, attempts: int = 1) -> None:
        super().__init__(message)
        self.attempts = attempts

    @classmethod
    def of(cls, why: BaseException, attempts: int) -> TurnFailed:
        return cls(f"the turn failed ({type(why).__name__}); the message is kept", attempts=attempts)


class ModelFailure(ClewError):
    code = "model_failure"
    status = 502
    retryable = True
    fault = "model"


class ModelTimeout(ModelFailure):
    code = "model_timeout"
    status = 504


class ModelRateLimited(ModelFailure):
    code = "model_rate_limited"
    status = 429


class ModelUnavailable(ModelFailure):
    code = "model_unavailable"
    status = 503


class ModelRefused(ModelFailure):
    code = "model_refused"
    retryable = False


class ModelGarbage(ModelFailure):
    code = "model_garbage"


class DeliveryFailed(ClewError):
    code = "delivery_failed"
    status = 502
    retryable = True
    fault = "caller"


class DeliveryRefused(DeliveryFailed):
    code = "delivery_refused"
    retryable = False


class StoreFailure(ClewError):
    code = "store_failure"
    status = 503
    fault = "store"


class StoreLocked(StoreFailure):
    code = "store_locked"
    retryable = True


class StoreReadOnly(StoreFailure):
    code = "store_read_only"


class StoreConflict(StoreFailure):
    code = "store_conflict"
    status = 409
    retryable = True


class StoreNewer(StoreFailure):
    code = "store_newer"


class StoreCorrupt(StoreFailure):
    code = "store_corrupt"
