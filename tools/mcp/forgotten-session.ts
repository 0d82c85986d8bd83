// Whether an answer says that the server did not take the request, because what the platform remembered of it is out of
// date. Servers say it in many ways; a result of a tool never says it, whatever its words are.
import { UNSUPPORTED_VERSION } from "../../protocol/mcp/versions.ts";
import type { McpError } from "../../protocol/mcp/read-messages.ts";
import type { McpOutcome } from "./mcp-outcome.ts";
import type { McpLine } from "./open-line.ts";

/** Statuses for a request whose session is gone: 404 by the protocol, 400 by the examples of its SDKs. */
const GONE: ReadonlySet<number> = new Set([400, 404, 410]);
/** The error of the official SDKs for a session that is not there. Others use it for other things. */
const SESSION_NOT_FOUND = -32_001;
/** Of a text that is looked at. */
const LOOKED_AT_CHARACTERS = 2_000;

/** True only where the tool has not run: a call that was made in a session may then be made in a new one. */
export function isForgotten(outcome: McpOutcome, { sessionId }: McpLine): boolean {
  if (outcome.type === "refused" && outcome.error.code === UNSUPPORTED_VERSION) return true;
  if (sessionId === null) return false;
  switch (outcome.type) {
    case "refused":
      return GONE.has(outcome.status) || isAboutSession(outcome.error);
    case "http":
      return GONE.has(outcome.status) || saysSessionIsGone(outcome.text);
    case "broken":
      return saysSessionIsGone(outcome.said ?? "");
    case "accepted":
    case "result":
      return false;
    default:
      return outcome satisfies never;
  }
}

function isAboutSession({ code, message, data }: McpError): boolean {
  if (code === SESSION_NOT_FOUND && /^\W*(?:not found)?\W*$/i.test(message)) return true;
  const more = data === undefined ? "" : JSON.stringify(data).slice(0, LOOKED_AT_CHARACTERS);
  return saysSessionIsGone(message) || saysSessionIsGone(more);
}

/** Words that may stand before `session`: a database session and a login session are other ones. */
const BEFORE =
  "(?:mcp|the|this|that|your|an?|no|any|for|of|in|with|to|by|or|valid|active|such|invalid|unknown|expired|missing|existing|current|transport|server|client|http|error|request|find|know|header)";
const SESSION = `(?:(?:^|[^a-z ] ?|\\b${BEFORE} )sessions?(?: ?id)?\\b)`;
const BEHIND =
  "(?:not found|not exist|t exist|no longer|unknown|invalid|expired|missing|required|not valid|not active|inactive|unrecogni[sz]ed|not recogni[sz]ed|terminated|closed|ended|lost|gone|stale|not (?:been )?initiali[sz]ed|uninitiali[sz]ed|timed out)";
const IN_FRONT =
  "(?:no|not a|unknown|invalid|bad|expired|missing|stale|lost|inactive|unrecogni[sz]ed|not find|t find|not know|t know|requires?)";
const WORDS = new RegExp(
  [
    `${SESSION}[^.!?]{0,80}?\\b${BEHIND}\\b`,
    `\\b${IN_FRONT}(?: ${BEFORE}){0,4} ['"]?sessions?\\b`,
    "\\b(?:server|client|connection|transport|protocol) (?:is |was |has )?not (?:been |yet )?initiali[sz]ed\\b",
    "\\bbefore initiali[sz]ation\\b",
  ].join("|"),
);

/** Cost: linear in the first 2,000 characters. */
function saysSessionIsGone(text: string): boolean {
  const words = text
    .slice(0, LOOKED_AT_CHARACTERS)
    // `sessionNotFound`, `SESSION_NOT_FOUND` and `Mcp-Session-Id` are words too.
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, " ");
  return WORDS.test(words);
}
