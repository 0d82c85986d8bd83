import { accept } from "../../protocol/errors.ts";
import { listEvents } from "../sessions/session-pages.ts";
import type { PagedDialect } from "./object-dialect.ts";

/** The log's own format: frames are sent as they are stored, without a translation. */
export const LOG_DIALECT: PagedDialect = {
  isFolding: false,
  open: (_session, _range, { after }) =>
    accept({ after: after?.seq ?? 0, prelude: [], translation: null }),
  list: (session, { seq: after }, extent) => listEvents(session, { after, ...extent }),
};
