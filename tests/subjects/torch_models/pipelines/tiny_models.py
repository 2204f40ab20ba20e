"""Tiny `transformers` models with random weights, built and saved without the hub."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
import transformers

LABELS = ("tomato", "lemon", "lime", "ice", "plum", "rose")
SMALL: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "intermediate_size": 32,
}
TEXT = ("thing", "car", "a", "photo", "of")


def quiet() -> None:
    """Keep the notes about optional packages out of the output of tests."""
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()


def _processor(name: str, **options: Any) -> Any:
    """An image processor that needs no torchvision."""
    found = getattr(transformers, f"{name}Pil", None) or getattr(transformers, name)
    return found(**options)


def save_yolos(folder: Path, labels: tuple[str, ...] = LABELS, seed: int = 1) -> Path:
    """A detector whose 12 queries answer with boxes all over the image."""
    quiet()
    torch.manual_seed(seed)
    config = transformers.YolosConfig(
        **SMALL,
        image_size=[64, 64],
        patch_size=16,
        num_detection_tokens=12,
        id2label=dict(enumerate(labels)),
        label2id={name: index for index, name in enumerate(labels)},
    )
    transformers.YolosForObjectDetection(config).save_pretrained(folder)
    size = {"shortest_edge": 48, "longest_edge": 96}  # the input follows the shape of the image
    _processor("YolosImageProcessor", size=size).save_pretrained(folder)
    return folder


def save_owlvit(folder: Path) -> Path:
    """A zero-shot detector with a vocabulary of a few words; id 0 would mask the text."""
    quiet()
    torch.manual_seed(1)
    config = transformers.OwlViTConfig(
        text_config={
            **SMALL,
            "vocab_size": 12,
            "max_position_embeddings": 16,
            "bos_token_id": 1,
            "eos_token_id": 2,
        },
        vision_config={**SMALL, "image_size": 64, "patch_size": 16},
        projection_dim=32,
    )
    transformers.OwlViTForObjectDetection(config).save_pretrained(folder)
    size = {"height": 64, "width": 64}
    _processor("OwlViTImageProcessor", size=size).save_pretrained(folder)
    _tokenizer().save_pretrained(folder)
    return folder


def _tokenizer() -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    ids = {word: index for index, word in enumerate(("<pad>", "<s>", "</s>", "<unk>", *TEXT))}
    tokenizer = Tokenizer(models.WordLevel(ids, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="<s>",
        eos_token="</s>",
        unk_token="<unk>",
        pad_token="<pad>",
    )


def save_vit(folder: Path, problem: str) -> Path:
    """A classifier of `LABELS`."""
    quiet()
    torch.manual_seed(1)
    config = transformers.ViTConfig(
        **SMALL,
        image_size=64,
        patch_size=16,
        id2label=dict(enumerate(LABELS)),
        label2id={name: index for index, name in enumerate(LABELS)},
        problem_type=problem,
    )
    transformers.ViTForImageClassification(config).save_pretrained(folder)
    size = {"height": 64, "width": 64}
    _processor("ViTImageProcessor", size=size).save_pretrained(folder)
    return folder
