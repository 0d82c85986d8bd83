// The sums of usage of end users, which follow the rows of the replies.
import { USAGE_SUMS } from "../usage/usage-sums.ts";

/** Usage is written also after the deletion of the session has begun, because it is billed. */
export const IF_KNOWN = "WHERE EXISTS (SELECT 1 FROM sessions WHERE id = ?1 AND tenant_id = ?2)";

/** The session's end user; null when it has none, and once its deletion has begun. */
export const END_USER = `(SELECT end_user_id FROM sessions
  WHERE id = ?1 AND tenant_id = ?2 AND deleted_at IS NULL)`;

const names = USAGE_SUMS.map(({ name }) => name);
const added = USAGE_SUMS.map((sum) => `${sum.added} AS ${sum.name}`);
const stored = USAGE_SUMS.map((sum) => `-(${sum.stored})`);
const summed = names.map((name) => `sum(${name})`);
const raised = ["entries", ...names].map((name) => `${name} = ${name} + excluded.${name}`);
const changes = ["entries", ...names].map((name) => `excluded.${name}`);

/**
 * Updates the sums of the end user by the difference between an entry and the reply's stored row, like the sums of days;
 * nothing is subtracted for a row that no end user's sums contain. Before the statement that writes the row, with the
 * same parameters.
 */
export const addToEndUsers = (
  ifKnown: string,
  endUser: string,
): string => `INSERT INTO usage_end_users (tenant_id, day, end_user_id, agent_id,
  model_name, entries, ${names.join(", ")})
  SELECT ?2, day, end_user_id, agent_id, model_name, sum(entries), ${summed.join(", ")}
  FROM (SELECT ?7 AS day, ${endUser} AS end_user_id, ?5 AS agent_id, ?6 AS model_name,
    1 AS entries, ${added.join(", ")}
    UNION ALL SELECT day, end_user_id, agent_id, model_name, -1, ${stored.join(", ")}
    FROM usage WHERE tenant_id = ?2 AND session_id = ?1 AND reply_id = ?4)
  ${ifKnown} AND end_user_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM usage
    WHERE tenant_id = ?2 AND session_id = ?1 AND reply_id = ?4 AND entry >= ?3)
  GROUP BY day, end_user_id, agent_id, model_name
  ON CONFLICT (tenant_id, day, end_user_id, agent_id, model_name) DO UPDATE SET
  ${raised.join(", ")}
  WHERE (${changes.join(", ")}) <> (${changes.map(() => "0").join(", ")})`;
