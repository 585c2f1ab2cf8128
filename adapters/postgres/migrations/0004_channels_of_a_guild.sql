-- oldest: 3

-- Which channels a guild has is asked for every turn whose process has not heard it yet, however many guilds there are.
CREATE INDEX channel_of_guild ON channel (agent, (CASE WHEN (place IS JSON) THEN (place::json #>> '{guild_id}') END), channel);
