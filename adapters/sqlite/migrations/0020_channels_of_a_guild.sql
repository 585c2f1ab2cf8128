-- Which channels a guild has is asked for every turn whose process has not heard it yet, however many guilds there are.
CREATE INDEX channel_of_guild
  ON channel (agent, (CASE WHEN json_valid(place) THEN json_extract(place, '$.guild_id') END), channel);
