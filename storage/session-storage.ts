import { and, desc, eq, lt } from "drizzle-orm";

import type { Page } from "../protocol/api/common.ts";
import type { SessionSummary } from "../protocol/api/sessions.ts";
import type { Database } from "./database.ts";
import type { ListRequest } from "./page.ts";
import { toPage } from "./page.ts";
import { sessions } from "./schema.ts";

interface SessionFilter {
  readonly agent_id?: string;
  readonly end_user_id?: string;
}

/** The index of sessions; what a session holds is in its object. */
export interface SessionStorage {
  insert(session: SessionSummary): Promise<void>;
  list(request: ListRequest & SessionFilter): Promise<Page<SessionSummary>>;
  /** Removing what is not there does nothing. */
  remove(sessionId: string): Promise<void>;
}

export function sessionStorage(database: Database, tenantId: string): SessionStorage {
  return {
    async insert(session) {
      await database
        .insert(sessions)
        .values({ ...session, metadata: { ...session.metadata }, tenant_id: tenantId });
    },

    async list({ before, limit, ...filter }) {
      const rows = await database
        .select()
        .from(sessions)
        .where(
          and(
            eq(sessions.tenant_id, tenantId),
            before ? lt(sessions.id, before) : undefined,
            filter.agent_id === undefined ? undefined : eq(sessions.agent_id, filter.agent_id),
            filter.end_user_id === undefined
              ? undefined
              : eq(sessions.end_user_id, filter.end_user_id),
          ),
        )
        .orderBy(desc(sessions.id))
        .limit(limit + 1);
      return toPage(rows.map(toSummary), limit);
    },

    async remove(sessionId) {
      await database
        .delete(sessions)
        .where(and(eq(sessions.tenant_id, tenantId), eq(sessions.id, sessionId)));
    },
  };
}

function toSummary({ tenant_id: _, ...session }: typeof sessions.$inferSelect): SessionSummary {
  return session;
}
