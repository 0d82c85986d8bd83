// The story of an app with the installed package, the same in every runtime. It is compiled as an app's own source is.
import { ApiError, Reprise, webhooks } from "@reprise/sdk";
import type { ConnectionState, LoggedEvent, ReplyStatus, WebhookEventType } from "@reprise/sdk";
import { AssistantMsg, EventType, type Msg } from "@reprise/sdk/message";

export interface StoryOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly agentId: string;
  /** Words of the first reply in a second. */
  readonly rate: number;
  /** A signed request to a receiver; null where there is no WebCrypto. */
  readonly webhook: {
    readonly body: string;
    readonly headers: Record<string, string>;
    readonly secret: string;
  } | null;
}

export interface Report {
  readonly sessionId: string;
  /** By reply, in the order in which they came. */
  readonly replies: readonly { readonly id: string | null; readonly seqs: readonly number[] }[];
  readonly wasReconnected: boolean;
  /** Whether the first reply was still running when its first event came. */
  readonly cameEarly: boolean;
  /** The first reply's message, folded from its events by `@reprise/sdk/message`, as JSON. */
  readonly folded: string;
  /** The message as the reply itself folded it. */
  readonly message: string;
  readonly statuses: readonly (ReplyStatus | null)[];
  readonly messages: readonly string[];
  readonly webhookType: WebhookEventType | null;
  readonly refusal: string;
}

export async function tellStory({ webhook, ...options }: StoryOptions): Promise<Report> {
  const { baseUrl, apiKey } = options;
  const reconnect = { firstDelayMs: 20, maxDelayMs: 200 };
  const reprise = new Reprise({ baseUrl, apiKey, reconnect });
  const session = await reprise.sessions.create({ agent_id: options.agentId });

  const states: ConnectionState[] = [];
  const words = session.reply(`/rate ${options.rate}\n/words 60`, {
    onConnectionChange: (state) => states.push(state),
  });
  const wordEvents: LoggedEvent[] = [];
  let folded: Msg | null = null;
  let cameEarly = false;
  for await (const event of words) {
    wordEvents.push(event);
    if (event.type === EventType.REPLY_START) {
      const { name, reply_id: id, created_at } = event;
      folded = new AssistantMsg({ name, content: [], id, created_at });
      cameEarly = (await session.replies.get(id)).status === "running";
    } else {
      folded?.appendEvent(event);
    }
  }

  const refund = session.reply('/call refund_order {"order_id":"A-1001"}\n/say Done.');
  const statuses: (ReplyStatus | null)[] = [words.status];
  const refundEvents: LoggedEvent[] = [];
  for await (const event of refund) refundEvents.push(event);
  statuses.push(refund.status);
  await session.confirm(await refund.done());
  for await (const event of refund) refundEvents.push(event);
  statuses.push(refund.status);

  const messages: string[] = [];
  for await (const { role } of session.messages.list()) messages.push(role);
  const received =
    webhook && (await webhooks.unwrap(webhook.body, webhook.headers, webhook.secret));
  const refusal = await reprise.sessions.get("ses_unknown").then(
    () => "none",
    (error: unknown) => (ApiError.isInstance(error) ? error.code : String(error)),
  );
  return {
    sessionId: session.id,
    replies: [
      { id: words.id, seqs: wordEvents.map(({ seq }) => seq) },
      { id: refund.id, seqs: refundEvents.map(({ seq }) => seq) },
    ],
    wasReconnected: states.includes("reconnecting"),
    cameEarly,
    folded: JSON.stringify(folded),
    message: JSON.stringify(words.message()),
    statuses,
    messages,
    webhookType: received && received.type,
    refusal,
  };
}
