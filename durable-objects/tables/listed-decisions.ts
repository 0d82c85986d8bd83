import { MAX_LISTED_DECISIONS } from "../../protocol/permission/limits.ts";
import type { ListedDecision } from "../../storage/outbox/put-decisions.ts";
import type { SessionLog } from "../log/session-log.ts";
import { decisionsOf, isAutomatic } from "./decisions-of.ts";
import type { SessionTables } from "./session-tables.ts";

interface DecisionSource {
  readonly tables: Pick<SessionTables, "decisions">;
  readonly log: Pick<SessionLog, "events">;
}

/**
 * The decisions that D1 lists, from a range of durable events: questions, refusals and answers. At most
 * {@link MAX_LISTED_DECISIONS}, the newest. Automatic permissions are in the session's record alone.
 */
export function listedDecisions(
  { tables, log }: DecisionSource,
  { after, upTo }: { readonly after: number; readonly upTo: number },
): readonly ListedDecision[] {
  return Array.from(tables.decisions.listed(after, upTo, MAX_LISTED_DECISIONS)).flatMap(
    ({ seq, position, is_edited }) => {
      const [logged] = log.events(seq - 1);
      const decision = logged?.item.seq === seq && decisionsOf(logged.item)[position];
      if (!decision || isAutomatic(decision)) return [];
      const { edited_input: _, ...listed } = decision;
      return [{ ...listed, position, is_edited: is_edited === 1 }];
    },
  );
}
