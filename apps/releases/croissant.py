"""A release's Croissant description: MLCommons' JSON-LD for data sets, version 1.0.

One record set for each split and one for the judgements, each read from its Parquet file. Valid by
``mlcroissant``; ``tests/releases/test_reading_back.py`` holds the structure where that is absent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from apps.comparison.judges import possible_answers
from apps.releases.columns import pair_schema
from apps.releases.judgement_rows import judgement_schema
from apps.releases.licences import licence_url
from apps.releases.models import Release

if TYPE_CHECKING:
    import pyarrow

CONFORMS_TO = "http://mlcommons.org/croissant/1.0"
CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_WHAT = {
    "id": "The pair's number in its dataset.",
    "premise": "The premises as one text.",
    "premises": "The premises, in order.",
    "hypothesis": "The hypothesis.",
    "gold_label": "The label that the release's gold rule gives.",
    "label": "The gold label's number among the dataset's labels, -1 without one.",
    "answers": "The annotators' answers that count.",
    "direction": "The polarity of the place where premise and hypothesis differ.",
    "split": "The part of the release.",
    "group": "Pairs that share a premise, and twins, have the same group.",
    "annotator": "A pseudonym that is good for this release alone.",
    "trust": "The share of test questions that the annotator answered right, where there are any.",
}


def croissant(release: Release, manifest: Mapping[str, Any], parquet: Mapping[str, str]) -> dict[str, Any]:
    """The description as JSON-LD; ``parquet`` are the Parquet files with their SHA-256."""
    dataset = release.dataset
    sets = [
        _record_set(f"data/{name}.parquet", name, pair_schema(possible_answers(dataset)))
        for name in manifest["splits"]["pairs"]
    ]
    judged = _record_set("judgements/judgements.parquet", "judgements", judgement_schema())
    described = {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": CONFORMS_TO,
        "name": dataset.name,
        "description": (
            "Natural-language-inference pairs that differ in one place of known polarity, with every single "
            f"human judgement. Release {release.number} of {dataset.name}."
        ),
        "version": f"{release.number}.0.0",
        "datePublished": f"{release.created_at:%Y-%m-%d}",
        "inLanguage": "en",
        "keywords": ["natural language inference", "monotonicity"],
        "creator": {"@type": "Organization", "name": dataset.study.name},
        "license": licence_url(dataset.licence) or dataset.licence or "not stated",
        "citeAs": dataset.source or f"{dataset.name}, release {release.number}",
        "isLiveDataset": False,
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": name,
                "name": name,
                "contentUrl": name,
                "encodingFormat": "application/x-parquet",
                "sha256": sha256,
            }
            for name, sha256 in parquet.items()
        ],
        "recordSet": [*sets, judged],
    }
    url = _address(dataset.source)
    return {**described, **({"url": url} if url else {})}


def _address(source: str) -> str:
    return next((word for word in source.split() if word.startswith(("https://", "http://"))), "")


def _record_set(file: str, name: str, schema: pyarrow.Schema) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "field": [field for column in schema if (field := _field(file, name, column))],
    }


def _field(file: str, record_set: str, column: pyarrow.Field) -> dict[str, Any] | None:
    """A column as a field; structures are left to who reads the Parquet file itself."""
    import pyarrow as pa

    kind = column.type
    repeated = pa.types.is_list(kind)
    if repeated:
        kind = kind.value_type
    if pa.types.is_struct(kind):
        return None
    types = {
        pa.string(): "sc:Text",
        pa.int64(): "sc:Integer",
        pa.float64(): "sc:Float",
        pa.bool_(): "sc:Boolean",
    }
    field = {
        "@type": "cr:Field",
        "@id": f"{record_set}/{column.name}",
        "name": column.name,
        "dataType": types[kind],
        "source": {"fileObject": {"@id": file}, "extract": {"column": column.name}},
    }
    if column.name in _WHAT:
        field["description"] = _WHAT[column.name]
    if repeated:
        field["repeated"] = True
    return field
