// Speech in the sums of replies by hour, for plots.
const AUDIO = [
  ["audio_input_ms", "?14"],
  ["audio_output_ms", "?15"],
  ["audio_input_tokens", "?16"],
  ["audio_output_tokens", "?17"],
] as const;

const OWN = "FROM usage WHERE tenant_id = ?2 AND session_id = ?1 AND reply_id = ?4";
const more = AUDIO.map(
  ([name, value]) => `'${name}', ${value} - ifnull((SELECT ${name} ${OWN}), 0)`,
);

/**
 * Adds what an entry has more than its stored row to the sums of its hour. Before the statement that writes the row, with the
 * same parameters, and the hour as one more.
 */
export const noteSpeechHour = (
  ifKnown: string,
): string => `INSERT INTO reply_hours (tenant_id, hour, agent_id, model_name, counts)
  SELECT ?2, ?18, ?5, ?6, json_object(${more.join(", ")})
  ${ifKnown} AND NOT EXISTS (SELECT 1 ${OWN} AND entry >= ?3)
  ON CONFLICT (tenant_id, hour, agent_id, model_name) DO UPDATE SET counts = (
    SELECT json_group_object(key, added) FROM (
      SELECT key, CAST(total(value) AS INTEGER) AS added FROM (
        SELECT key, value FROM json_each(reply_hours.counts)
        UNION ALL SELECT key, value FROM json_each(excluded.counts)) GROUP BY key))`;
