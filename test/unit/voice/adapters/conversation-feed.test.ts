// The conversation as a provider has it, over an hour.
import { expect, it } from "vitest";

import { ConversationFeed } from "../../../../model/voice/realtime/conversation-feed.ts";
import { AssistantMsg } from "../../../../protocol/messages/constructors.ts";

it("forgets old answers of which nothing was heard, and knows the last ones again", () => {
  const feed = new ConversationFeed({ history: [] });
  for (let answer = 1; answer <= 1_000; answer += 1) feed.noteSaid(`Answer ${answer}.`);

  expect(feed.memory.said).toHaveLength(64);
  expect(feed.take([AssistantMsg("agent", "Answer 1000.")])).toEqual([]);
  expect(feed.memory.said).toHaveLength(63);
});
