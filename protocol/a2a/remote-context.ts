// The context that a tool of an agent of another system keeps over the calls of a session, as the log has it.
import * as z from "zod";

/** The ability's name, and the `name` of the `CUSTOM` event. */
export const REMOTE_CONTEXT = "remote_context";

export const RemoteContextSchema = z.object({
  tool_name: z.string(),
  /** A hash of the agent's address, which readers of the log need not know. At another one another context begins. */
  author: z.string().max(64),
  /** The agent's. */
  context_id: z.string(),
});
export interface RemoteContext extends Readonly<z.infer<typeof RemoteContextSchema>> {}
