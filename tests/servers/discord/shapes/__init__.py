"""Events of every shape, each carrying the same words, and whether a command in those words may count.

for shape in shapes(Scene.of(support, ann, bot, "!cortex why")):
    server.gateway.push(shape.event, shape.data)  # nothing but shape.counts may start a command
"""

from .messages import message_shapes
from .others import other_shapes
from .scene import Scene, Shape
from .services import service_shapes

__all__ = ["Scene", "Shape", "shapes"]


def shapes(scene: Scene) -> list[Shape]:
    """Build every shape; each message has an id of its own, later ones larger."""
    every = [*message_shapes(scene), *service_shapes(scene), *other_shapes(scene)]
    return [shape.numbered(scene.number + index) for index, shape in enumerate(every)]
