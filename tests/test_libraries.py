"""Libraries over torch with lazy layers around them, those of docs/libraries.md that are installed here."""

from __future__ import annotations

import pytest

from lazygen import convert_source

HEAD = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, width=32):\n"
SOURCES = {
    "torchvision": (
        "import torchvision\n",
        "self.body = torchvision.models.resnet18()\nself.body.fc = nn.LazyLinear(width)\nself.head = nn.LazyLinear(5)",
        "return self.head(self.body(x))",
        "N,3,64,64",
        ["self.body.fc = nn.Linear(512, width)", "nn.Linear(width, 5)"],
    ),
    "timm": (
        "import timm\n",
        'self.body = timm.create_model("resnet18", pretrained=False, num_classes=0)\nself.head = nn.LazyLinear(width)',
        "return self.head(self.body(x))",
        "N,3,64,64",
        ["nn.Linear(512, width)"],
    ),
    "transformers": (
        "from transformers import BertConfig, BertModel\n",
        "config = BertConfig(vocab_size=60, hidden_size=width, num_hidden_layers=1, num_attention_heads=4)\n"
        "self.body = BertModel(config)\nself.head = nn.LazyLinear(5)",
        "out = self.body(x)\nreturn self.head(torch.cat([out.pooler_output, out.last_hidden_state.mean(1)], 1))",
        "N,7:int64",
        ["nn.Linear(2 * width, 5)"],
    ),
    "pytorch_lightning": (
        "import pytorch_lightning\n\nclass Part(pytorch_lightning.LightningModule):\n    def __init__(self, out):\n"
        "        super().__init__()\n        self.save_hyperparameters()\n"
        "        self.net = nn.LazyLinear(self.hparams.out)\n\n    def forward(self, x):\n        return self.net(x)\n",
        "self.part = Part(width)\nself.head = nn.LazyLinear(5)",
        "return self.head(self.part(x))",
        "N,9",
        ["nn.Linear(width, 5)"],
    ),
    "torch_geometric": (
        "from torch_geometric.nn import GATConv\n",
        "self.body = GATConv(9, width, heads=2)\nself.head = nn.LazyLinear(5)",
        "edges = torch.randint(0, 2, (2, 12))\nreturn self.head(self.body(x, edges))",
        "N,9",
        ["nn.Linear(2 * width, 5)"],
    ),
    "diffusers": (
        "from diffusers import UNet2DModel\n",
        "self.body = UNet2DModel(16, out_channels=width, block_out_channels=(32, 64), norm_num_groups=8,\n"
        '    down_block_types=("DownBlock2D", "AttnDownBlock2D"), up_block_types=("AttnUpBlock2D", "UpBlock2D"))\n'
        "self.head = nn.LazyConv2d(5, 1)",
        "return self.head(self.body(x, torch.zeros(1)).sample)",
        "N,3,16,16",
        ["nn.Conv2d(width, 5, 1)"],
    ),
}


@pytest.mark.parametrize("library", SOURCES)
def test_lazy_layers_around_a_library(library: str) -> None:
    pytest.importorskip(library, exc_type=Exception)
    imports, body, forward, shape, expected = SOURCES[library]
    lines = ["super().__init__()", *body.splitlines()]
    constructor = "".join(f"        {line}\n" for line in lines)
    method = "".join(f"        {line}\n" for line in forward.splitlines())
    head, _, start = HEAD.rpartition("class Net")
    source = f"{head}{imports}\n\nclass Net{start}{constructor}\n    def forward(self, x):\n{method}"
    conversion = convert_source(source, input_shape=shape, entry="Net", timeout=120)
    assert conversion.code is not None, conversion.diagnostics
    assert [text for text in expected if text not in conversion.code] == []
