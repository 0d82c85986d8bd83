// A complete human-in-the-loop example that checks itself: a customer wants a refund, a clerk approves a part of it, a
// system prints the label, and the customer's app misses nothing although it was closed at each pause.
import { ApiError, ConnectionError, Reprise } from "@reprise/sdk";

import { connect, StoryFailure } from "../connect.ts";
import { BackOffice } from "./back-office.ts";
import { checkStory } from "./check-story.ts";
import { Customer } from "./customer.ts";
import { setUpShop } from "./shop-setup.ts";
import { startShopServer } from "./shop-server.ts";
import { ShopTools } from "./shop-tools.ts";
import { openTunnels } from "./tunnels.ts";

const QUESTION = "The teapot of order A-1003 came in pieces. I want my money back!";
/** Bytes after which a stream is cut: at least once between two pauses. */
const BYTES_BETWEEN_TUNNELS = 4_500;

async function main(): Promise<void> {
  const { baseUrl, apiKey } = connect();
  const reprise = new Reprise({ apiKey, baseUrl });
  const server = await startShopServer();
  try {
    const shop = await setUpShop(reprise, server.url);
    try {
      const tools = new ShopTools(shop.toolSecret);
      const office = new BackOffice(shop.webhookSecret);
      server.serve({
        "/tools/lookup_order": tools.lookUpOrder,
        "/tools/refund_order": tools.refundOrder,
        "/webhooks": office.receive,
      });
      const tunnels = openTunnels(BYTES_BETWEEN_TUNNELS);
      const customer = new Customer({
        baseUrl,
        sessionId: shop.session.id,
        fetch: tunnels.fetch,
        token: async () => (await shop.session.tokens.create({ verbs: ["read", "reply"] })).token,
      });

      console.log(`The shop listens on ${server.url}.\n\nCustomer: ${QUESTION}`);
      const pauses = [await customer.ask(QUESTION)];
      const asked = await office.hear("confirmation.required");
      await office.answer(asked);
      pauses.push(await customer.comeBack());
      await office.answer(await office.hear("external_execution.required"));
      pauses.push(await customer.comeBack());
      await office.hear("reply.completed");

      console.log(`\nThe app went through ${tunnels.lost()} tunnels. What is true of it all:\n`);
      await checkStory({ session: shop.session, server, tools, office, customer, asked, pauses });
    } finally {
      await shop.remove();
    }
  } finally {
    await server.close();
  }
}

/**
 * Whether the message suffices without a stack: failures of the story, and errors of the platform or the connection.
 */
function isToldShortly(error: unknown): error is Error {
  return (
    error instanceof StoryFailure || ApiError.isInstance(error) || ConnectionError.isInstance(error)
  );
}

try {
  await main();
} catch (error) {
  console.error(isToldShortly(error) ? `\n${error.message}` : error);
  process.exitCode = 1;
}
