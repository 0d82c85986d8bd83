// The app's server: the page, and a connection for each name of a thread that the page asks for.
import { servePage } from "../serve-page.ts";
import { connect, openThread } from "./back-end.ts";

const threads = new Map<string, Promise<string>>();

servePage({
  "/threads/": async ({ url = "" }, response) => {
    const thread = threads.get(url) ?? openThread("ada");
    threads.set(url, thread);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(await connect(await thread)));
  },
});
