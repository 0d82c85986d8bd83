// A call of a tool, as a link makes it, and what is heard of it before its end.
import type { InputRequest } from "../../protocol/mcp/elicitation.ts";
import type { ToolProgress } from "../../protocol/tools/events.ts";
import type { McpPeople } from "./mcp-people.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Progress, or a question of the server for a person, who is awaited once it is shown. */
export type McpUpdate = { readonly progress: ToolProgress } | { readonly ask: InputRequest };

export interface McpCall {
  readonly name: string;
  readonly input: unknown;
  /** Headers that repeat members of the input; a server of the older era gets none. */
  readonly headers: Readonly<Record<string, string>>;
  /** As the tool is declared: a second call has no other effect than the first one. */
  readonly isIdempotent?: boolean;
  /** More parameters: what a call that had asked is sent again with. */
  readonly params?: Fields;
  /** Milliseconds for which a server of the older era keeps the task that the call has to be; left out for none. */
  readonly taskTtlMs?: number;
  /** Null where nobody can be asked. */
  readonly people: McpPeople | null;
  /** The server has asked, and nobody could be. */
  readonly noteUnasked?: () => void;
}
