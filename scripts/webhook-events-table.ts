// Generates the table of events in docs/webhooks.md from their shapes, which have their words beside them.
import { EVENT_WORDS } from "../protocol/schemas/webhook-event.ts";
import { WebhookEventSchema } from "../protocol/webhooks/webhook-events.ts";

const BEGIN = "<!-- events: written by `npm run docs:webhooks` -->";
const END = "<!-- end of the events -->";

/**
 * The page with an up-to-date table.
 * @param page Markdown with both marks.
 * @throws when a mark is missing.
 */
export function withWebhookEvents(page: string): string {
  const begin = page.indexOf(BEGIN);
  const end = page.indexOf(END);
  if (begin === -1 || end < begin) throw new Error(`the page lacks ${BEGIN} or ${END}`);
  return `${page.slice(0, begin + BEGIN.length)}\n\n${describeEvents()}\n\n${page.slice(end)}`;
}

function describeEvents(): string {
  const rows = WebhookEventSchema.options.map((event) => {
    const { when = "", data = "" } = EVENT_WORDS.get(event) ?? {};
    return `| \`${event.shape.type.value}\` | ${when} | ${data === "" ? "" : `${data} `}|`;
  });
  return [
    "| Type | When | `data` in addition to the common members |",
    "|---|---|---|",
    ...rows,
  ].join("\n");
}
