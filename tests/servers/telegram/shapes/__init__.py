"""Updates of every shape, each carrying the same words, and whether a command in those words may count.

for shape in shapes(Scene(group.json(), ann.user(), bot.user(), channel.json(), "!cortex why")):
    world.push(shape.update)  # nothing but shape.counts may start a command
"""

from .messages import message_shapes
from .others import other_shapes
from .scene import Scene, Shape
from .services import service_shapes

__all__ = ["Scene", "Shape", "shapes"]


def shapes(scene: Scene) -> list[Shape]:
    """Build every shape."""
    return [*message_shapes(scene), *service_shapes(scene), *other_shapes(scene)]
