"""`Module` of the TorchX style: a torch.nn.Module with methods for training, saving and copying.

import lazygen.nn as nnx

class Net(nnx.Module):
    def __init__(self):                    super().__init__() may be left out
        self.body = L.Linear(8)

target.soft_update(net, tau=0.01)
"""

from __future__ import annotations

import copy
import sys
from typing import Any, TypeVar

import torch
from torch import nn

Self = TypeVar("Self", bound="Module")

__all__ = ["Module"]


class Module(nn.Module):
    """A module that is ready to hold others before its constructor runs."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        self = super().__new__(cls)
        nn.Module.__init__(self)
        return self

    def __init__(self) -> None:
        """Nothing is left to do."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        devices = sys.modules.get("lazygen.devices")  # no scope can hold where nothing has loaded them
        if devices is not None:
            devices.move_here(self)
        return super().__call__(*args, **kwargs)

    def copy_from(self, other: nn.Module) -> None:
        """Take over the parameters and buffers of another module."""
        self.load_state_dict(other.state_dict())

    def copy_to(self, other: nn.Module) -> None:
        """Give the parameters and buffers to another module."""
        other.load_state_dict(self.state_dict())

    def hard_update(self, other: nn.Module) -> None:
        """Take over the parameters of another module."""
        self.soft_update(other, 1)

    def soft_update(self, other: nn.Module, tau: float) -> None:
        """Move the parameters to those of another module: own * (1 - tau) + other * tau."""
        with torch.no_grad():
            for own, source in zip(self.parameters(), other.parameters(), strict=True):
                own.copy_(own * (1 - tau) + source * tau if tau != 1 else source)

    def freeze(self) -> None:
        """Take the parameters out of training."""
        self.requires_grad_(False)

    def unfreeze(self) -> None:
        """Take the parameters into training again."""
        self.requires_grad_(True)

    def clip_grad_value(self, max_value: float) -> None:
        """Limit each element of the gradients to -max_value ... max_value."""
        nn.utils.clip_grad_value_(self.parameters(), max_value)

    def clip_grad_norm(self, max_norm: float, norm_type: float = 2) -> Any:
        """Limit the norm of all gradients together; returns what it was before."""
        return nn.utils.clip_grad_norm_(self.parameters(), max_norm, norm_type)

    def save(self, path: Any) -> None:
        """Write the state_dict to a file."""
        torch.save(self.state_dict(), path)

    def load(self, path: Any) -> None:
        """Read the state_dict from a file."""
        self.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))

    @classmethod
    def load_with_init(cls: type[Self], path: Any, *args: Any, **kwargs: Any) -> Self:
        """A module made with the arguments, with the state_dict of a file."""
        module = cls(*args, **kwargs)
        module.load(path)
        return module

    def clone(self: Self) -> Self:
        """A module with parameters of its own that are equal."""
        return copy.deepcopy(self)

    def parameters_to_binary(self) -> bytes:
        """The parameters as bytes, one after the other as float32."""
        vector = nn.utils.parameters_to_vector(self.parameters())
        return bytes(vector.detach().cpu().float().numpy().tobytes())

    def parameters_from_binary(self, binary: bytes) -> None:
        """Take over parameters that are bytes, one after the other as float32."""
        vector = torch.frombuffer(bytearray(binary), dtype=torch.float32)
        own = next(self.parameters())
        nn.utils.vector_to_parameters(vector.to(own.device, own.dtype), self.parameters())
