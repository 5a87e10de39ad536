"""The names of confluent-kafka's admin interface, for type checkers.

The library documents them in `confluent_kafka.admin` yet does not mark them as exported there, so each
use would be an error to mypy and pyright. They get names of their own here, once, with those checks off.
"""
# mypy: disable-error-code="attr-defined"
# pyright: reportPrivateImportUsage=false

from typing import TypeAlias

from confluent_kafka.admin import AdminClient as _AdminClient
from confluent_kafka.admin import AlterConfigOpType as _AlterConfigOpType
from confluent_kafka.admin import ConfigEntry as _ConfigEntry
from confluent_kafka.admin import ConfigResource as _ConfigResource
from confluent_kafka.admin import NewTopic as _NewTopic
from confluent_kafka.admin import ResourceType as _ResourceType
from confluent_kafka.admin import TopicMetadata as _TopicMetadata

AdminClient: TypeAlias = _AdminClient
AlterConfigOpType: TypeAlias = _AlterConfigOpType
ConfigEntry: TypeAlias = _ConfigEntry
ConfigResource: TypeAlias = _ConfigResource
NewTopic: TypeAlias = _NewTopic
ResourceType: TypeAlias = _ResourceType
TopicMetadata: TypeAlias = _TopicMetadata
