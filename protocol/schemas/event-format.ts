import * as z from "zod";

import { EVENT_FORMATS, LOG_FORMAT } from "../dialects/dialects.ts";

/** Dialects in which a session's events can be read. */
export const EventFormatSchema = z.enum(EVENT_FORMATS).default(LOG_FORMAT);
