import * as z from "zod";

import { FRAME_FORMAT, VOICE_FORMATS } from "./formats.ts";

/** The query of an upgrade to a voice connection. */
export const VoiceQuerySchema = z.object({ format: z.enum(VOICE_FORMATS).default(FRAME_FORMAT) });
