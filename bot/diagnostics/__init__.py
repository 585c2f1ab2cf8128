"""Why a bot was silent: evidence is collected, frozen, and judged by rules that know no model and no clock."""
