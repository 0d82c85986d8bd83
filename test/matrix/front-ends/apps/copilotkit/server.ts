// The app's server: CopilotKit's runtime, the page, and a thread for each name that the page asks for.
import { servePage } from "../serve-page.ts";
import { copilotKit, openThread } from "./runtime.ts";

const threads = new Map<string, Promise<string>>();

servePage({
  "/api/copilotkit": copilotKit,
  "/threads/": async ({ url = "" }, response) => {
    const thread = threads.get(url) ?? openThread();
    threads.set(url, thread);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ threadId: await thread }));
  },
});
