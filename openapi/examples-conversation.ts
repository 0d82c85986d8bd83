// The refund desk's conversation, added to, copied, taken out and brought in.
import type { Example } from "./document-types.ts";

export const CONVERSATION_EXAMPLES = {
  observedMessage: {
    summary: "A note of the shop's",
    value: {
      messages: { id: "shop-note-1", name: "shop", content: "The parcel came back today." },
    },
  },
} as const satisfies Readonly<Record<string, Example>>;
