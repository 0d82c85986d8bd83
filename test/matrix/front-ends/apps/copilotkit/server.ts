// The app's server: CopilotKit's runtime, the page, and a thread for each name that the page asks for.
import { json } from "node:stream/consumers";

import { servePage } from "../serve-page.ts";
import { copilotKit, finishSignIn, openThread, type SignInCode } from "./runtime.ts";

const threads = new Map<string, Promise<string>>();

servePage({
  "/api/copilotkit": copilotKit,
  "/api/sign-ins": async (request, response) => {
    try {
      await finishSignIn((await json(request)) as SignInCode);
      response.writeHead(204).end();
    } catch (error) {
      response.writeHead(400).end(error instanceof Error ? error.message : "");
    }
  },
  "/threads/": async ({ url = "" }, response) => {
    const thread = threads.get(url) ?? openThread("ada");
    threads.set(url, thread);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ threadId: await thread }));
  },
});
