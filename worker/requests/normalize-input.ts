// Normalises request bodies to today's names before validation, so that clients of every AgentScope version may post.
import { isJsonObject, type JsonObject } from "../../protocol/json-object.ts";
import { changeItems, changeMember } from "../../protocol/dialects/json-object.ts";
import { normalizeBlock, normalizeRule } from "../../protocol/dialects/normalize-block.ts";
import { normalizeEvent } from "../../protocol/dialects/normalize-event.ts";
import { normalizeMessage, withContentBlocks } from "../../protocol/dialects/normalize-message.ts";
import { normalizeToldEvent } from "../../protocol/told/told-event.ts";

/** The body of `POST …/observe` with its messages and events in today's names. No validation. */
export function normalizeObserveBody(body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  return changeItems(changeMember(body, "messages", normalizeInput), "events", normalizeToldEvent);
}

/** The body of `PUT …/state` with its messages and rules in today's names. No validation. */
export function normalizeStateBody(body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  const state = changeItems(body, "context", normalizeStateMessage);
  return changeMember(state, "permission_context", normalizePermissionContext);
}

/** The body of `PUT /v1/rooms/{room_id}/state`: messages and each agent's state in today's names. No validation. */
export function normalizeRoomStateBody(body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  const state = changeItems(body, "messages", normalizeStateMessage);
  return changeMember(state, "agents", (agents) =>
    isJsonObject(agents)
      ? Object.fromEntries(
          Object.entries(agents).map(([name, one]) => [name, normalizeStateBody(one)]),
        )
      : agents,
  );
}

/** A text as the content of a stored message is one block. */
function normalizeStateMessage(message: unknown): unknown {
  return withContentBlocks(normalizeMessage(message));
}

function normalizePermissionContext(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return ["allow_rules", "deny_rules", "ask_rules"].reduce(
    (context, list) =>
      changeMember(context, list, (rules) =>
        isJsonObject(rules)
          ? Object.fromEntries(
              Object.entries(rules).map(([tool, items]) => [
                tool,
                Array.isArray(items) ? items.map(normalizeRule) : items,
              ]),
            )
          : rules,
      ),
    value,
  );
}

/** The body of `POST …/replies` with its input in today's names. No validation. */
export function normalizeReplyBody(body: unknown): unknown {
  return isJsonObject(body) ? changeMember(body, "input", normalizeInput) : body;
}

function normalizeInput(input: unknown): unknown {
  return Array.isArray(input) ? input.map(normalizeItem) : normalizeItem(input);
}

/** Blocks have a type and no role; anything else is treated as a message, for the schema to check. */
function normalizeItem(item: unknown): unknown {
  const isBlock = isJsonObject(item) && Object.hasOwn(item, "type") && !Object.hasOwn(item, "role");
  return isBlock ? normalizeBlock(item) : normalizeMessage(item);
}

/** A body whose `content` may be blocks, in today's names. No validation. */
export function normalizeContentBody(body: unknown): unknown {
  const normalize = (content: unknown) =>
    Array.isArray(content) ? content.map(normalizeBlock) : content;
  return isJsonObject(body) ? changeMember(body, "content", normalize) : body;
}

/** The body of `POST …/events` in today's names. No validation. */
export function normalizeEventBody(body: unknown): unknown {
  const event = normalizeEvent(body);
  // A block given by its id alone lacks the type, which the normalisation of older names needs.
  return isJsonObject(event) ? normalizeEvent(addBlockTypes(event)) : event;
}

function addBlockTypes(event: JsonObject): JsonObject {
  const typed = changeItems(event, "execution_results", (block) => addType(block, "tool_result"));
  return changeItems(typed, "confirm_results", (result) =>
    isJsonObject(result)
      ? changeMember(result, "tool_call", (block) => addType(block, "tool_call"))
      : result,
  );
}

function addType(block: unknown, type: string): unknown {
  return isJsonObject(block) ? { type, ...block } : block;
}

/** The body of `POST /v1/confirmations`, each of its events in today's names. No validation. */
export function normalizeAnswersBody(body: unknown): unknown {
  if (!isJsonObject(body)) return body;
  return changeItems(body, "answers", (answer) =>
    isJsonObject(answer) ? changeMember(answer, "event", normalizeEventBody) : answer,
  );
}

/** The body of a signed webhook, its event in today's names. No validation. */
export function normalizeInboundBody(body: unknown): unknown {
  return isJsonObject(body) ? changeMember(body, "event", normalizeEventBody) : body;
}
