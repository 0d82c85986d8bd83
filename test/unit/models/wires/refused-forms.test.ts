// Endpoints that refuse a request for its form, as public reports have them: the reply goes on after one refusal, and the
// next reply of the session makes none.
import { describe, expect, it, onTestFinished } from "vitest";

import { modelFormsAbility } from "../../../../agent/models/model-forms-ability.ts";
import { MODEL_FORMS_FOLD, type ModelForms } from "../../../../agent/models/model-forms-fold.ts";
import type { LoggedEvent } from "../../../../protocol/events.ts";
import type { Msg } from "../../../../protocol/messages/messages.ts";
import { UserMsg } from "../../../../protocol/messages/constructors.ts";
import { createModel } from "../../../../model/create-model.ts";
import { createOutgoing } from "../../../../outgoing/outgoing.ts";
import type { RemoteModelDefinition } from "../../../../protocol/models/contract.ts";
import { type FakeStream, startFakeOpenAi } from "../../../support/fake-openai.ts";
import { functionTools } from "../../../support/function-tools.ts";
import { runScript } from "../../../support/run-script.ts";

type Message = Readonly<Record<string, unknown>> & { readonly role: string };
interface Body extends Readonly<Record<string, unknown>> {
  readonly messages: readonly Message[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
}
type Refused = readonly [status: number, body: object] | null;

interface Case {
  readonly title: string;
  /** Why a request is refused. */
  readonly refuses: (body: Body) => Refused;
  /** The model's chunk before its call. */
  readonly says?: object;
  readonly callId?: string | null;
  /** Each model call has a hint before it. */
  readonly isHinted?: boolean;
  /** Requests of the first reply, and of the second. */
  readonly requests: readonly [number, number];
  readonly definition?: Partial<RemoteModelDefinition>;
}

const outgoing = createOutgoing({ environment: "local", fetch });
const said = (message: string, more = {}) => ({
  error: { message, type: "invalid_request_error", ...more },
});
const assistants = ({ messages }: Body) => messages.filter(({ role }) => role === "assistant");
const idsOf = ({ messages }: Body) =>
  messages.flatMap(({ tool_calls = [], tool_call_id }) => [
    ...(tool_calls as { id: string }[]).map(({ id }) => id),
    ...(typeof tool_call_id === "string" ? [tool_call_id] : []),
  ]);
const THOUGHT = { reasoning_content: "I have to look." };
const missing = (one: Message) => one["reasoning_content"] !== THOUGHT.reasoning_content;

const CASES: readonly Case[] = [
  {
    title: "stream_options, of which FastAPI says 422 (openai/openai-agents-python#442)",
    refuses: ({ stream_options }) =>
      stream_options === undefined
        ? null
        : [
            422,
            {
              detail: [
                {
                  type: "extra_forbidden",
                  loc: ["body", "stream_options", "include_usage"],
                  msg: "Extra inputs are not permitted",
                },
              ],
            },
          ],
    requests: [3, 2],
  },
  {
    title: "stream_options, as OpenAI words it (openai/openai-agents-python#442)",
    refuses: ({ stream_options }) =>
      stream_options === undefined ? null : [400, said("Unknown parameter: 'stream_options'.")],
    requests: [3, 2],
  },
  {
    title: "a call without the reasoning that led to it, DeepSeek (openai/openai-agents-js#791)",
    refuses: (body) =>
      assistants(body).some((one) => one["tool_calls"] && missing(one))
        ? [
            400,
            said("Missing `reasoning_content` field in the assistant message at message index 2."),
          ]
        : null,
    says: THOUGHT,
    requests: [3, 2],
  },
  {
    title: "a call without the reasoning that led to it, Kimi (QuantumNous/new-api#3121)",
    refuses: (body) =>
      assistants(body).some((one) => one["tool_calls"] && missing(one))
        ? [
            400,
            said(
              "thinking is enabled but reasoning_content is missing in assistant tool call message at index 1",
            ),
          ]
        : null,
    says: THOUGHT,
    requests: [3, 2],
  },
  {
    title: "any message without reasoning, DeepSeek v4 (openclaw/openclaw#73417)",
    refuses: (body) =>
      assistants(body).some((one) => !one["reasoning_content"])
        ? [
            400,
            said("The `reasoning_content` in the thinking mode must be passed back to the API."),
          ]
        : null,
    says: THOUGHT,
    // The last message of the first reply came without a thought: in its place is a space.
    requests: [3, 3],
  },
  {
    title:
      "reasoning that is sent, as DeepSeek's older models do (api-docs.deepseek.com/guides/reasoning_model)",
    refuses: (body) =>
      assistants(body).some((one) => one["reasoning_content"])
        ? [400, said("reasoning_content is not allowed in input messages")]
        : null,
    says: THOUGHT,
    definition: { send_reasoning: "always" },
    requests: [3, 2],
  },
  {
    title: "ids of another form than nine letters (anomalyco/opencode#1680)",
    refuses: (body) =>
      idsOf(body).some((id) => !/^[A-Za-z0-9]{9}$/.test(id))
        ? [
            400,
            {
              object: "error",
              message:
                "Tool call id was call_PTLP8xhu3uwZk4l3nlnrJha but must be a-z, A-Z, 0-9, with a length of 9.",
              type: "invalid_request_message_order",
            },
          ]
        : null,
    callId: "call_PTLP8xhu3uwZk4l3nlnrJha",
    requests: [3, 2],
  },
  {
    title: "ids that the platform gave where the model gave none (ml-explore/mlx-lm#1375)",
    refuses: (body) =>
      idsOf(body).some((id) => !/^[A-Za-z0-9]{9}$/.test(id))
        ? [422, { detail: "Tool call id must match [A-Za-z0-9]{9}" }]
        : null,
    callId: null,
    requests: [3, 2],
  },
  {
    title: "an id of 120 characters, by no request at all (vercel/ai#5171)",
    refuses: (body) =>
      idsOf(body).some((id) => id.length > 40)
        ? [
            400,
            said(
              "Invalid 'messages[1].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 120 instead.",
            ),
          ]
        : null,
    callId: "x".repeat(120),
    requests: [2, 2],
  },
  {
    title: "the user after a tool, as Mistral's templates do",
    refuses: ({ messages }) =>
      messages.some(({ role }, index) => role === "user" && messages[index - 1]?.role === "tool")
        ? [400, { object: "error", message: "Unexpected role 'user' after role 'tool'", code: 400 }]
        : null,
    // A hint is the user's, as the picture of a result is.
    isHinted: true,
    requests: [3, 2],
  },
  {
    title: "one tool's schema, by name (github/github-mcp-server#1548)",
    refuses: ({ tools = [] }) =>
      tools.some(({ function: { name } }) => name === "odd")
        ? [
            400,
            said(
              "Invalid schema for function 'odd': In context=(), object schema missing properties.",
            ),
          ]
        : null,
    requests: [3, 2],
  },
  {
    title: "one tool's schema, by its place",
    refuses: ({ tools = [] }) => {
      const at = tools.findIndex(({ function: { name } }) => name === "odd");
      return at < 0
        ? null
        : [400, said(`tools.${at}.custom.input_schema: JSON schema is invalid.`)];
    },
    requests: [3, 2],
  },
];

/** The form in which a refusal comes. */
type Manner = "with its status" | "within a stream" | "as a whole body with status 200";

async function start({ refuses, says = {}, callId = "call_1" }: Case, manner: Manner) {
  const refused: Body[] = [];
  const server = await startFakeOpenAi((stream: FakeStream, { body }) => {
    const request = body as Body;
    const refusal = refuses(request);
    if (refusal) {
      refused.push(request);
      const [, words] = refusal;
      if (manner === "with its status") stream.refuse(...refusal);
      else if (manner === "within a stream") {
        stream.event(words);
        stream.done();
      } else stream.answer(JSON.stringify(words), "application/json");
      return;
    }
    const asked = request.messages.findLastIndex((one) =>
      JSON.stringify(one).includes("Look it up."),
    );
    if (request.messages.slice(asked).some(({ role }) => role === "tool")) {
      stream.text("Done.");
      stream.finish();
    } else {
      stream.delta(says as Record<string, unknown>);
      stream.calls({
        index: 0,
        ...(callId !== null && { id: callId }),
        name: "look_up",
        arguments: "{}",
      });
      stream.finish("tool_calls");
    }
    stream.done();
  });
  onTestFinished(() => server.stop());
  return { server, refused };
}

describe.each<Manner>(["with its status", "within a stream", "as a whole body with status 200"])(
  "an endpoint that refuses %s",
  (manner) => {
    it.each(CASES)("$title", async (one) => {
      const { server } = await start(one, manner);
      let forms: ModelForms = {};
      let history: readonly Msg[] = [];
      const made: number[] = [];
      const tools = functionTools({
        look_up: { run: () => "found" },
        odd: { run: () => "odd" },
      });
      for (const _reply of one.requests) {
        const before = server.requests.length;
        const definition = {
          provider: "openai",
          name: "m",
          base_url: server.baseUrl,
          parameters: {},
          ...one.definition,
        } as const;
        const model = createModel(definition as RemoteModelDefinition, {
          outgoing,
          secrets: () => ({ ok: false, type: "setup", problem: "is not there" }),
          decideTurn: () => ({ parts: [] }),
          formOf: (author) => forms[author],
        });
        const hint = {
          name: "now",
          hint: {
            source: "now",
            outlivesReply: true,
            text: () => (one.isHinted ? `Request ${server.requests.length}` : null),
          },
        };
        const log = await runScript({
          script: "Look it up.",
          history,
          tools,
          models: [model],
          abilities: [hint, modelFormsAbility(() => forms)],
          usedCallIds: history.flatMap(({ content }) =>
            content.flatMap((block) => (block.type === "tool_call" ? [block.id] : [])),
          ),
        });
        expect(log.state.message).toMatchObject({ finished_reason: "completed" });
        made.push(server.requests.length - before);
        history = [
          ...history,
          UserMsg({ name: "user", content: "Look it up." }),
          log.state.message,
        ];
        for (const event of log.events)
          forms = MODEL_FORMS_FOLD.advance(forms, event as LoggedEvent);
      }

      expect(made).toEqual(one.requests);
    });
  },
);
