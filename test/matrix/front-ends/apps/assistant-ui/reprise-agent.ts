import { HttpAgent } from "@ag-ui/client";

import { resumingFetch } from "../resuming-fetch.ts";
import type { Connection } from "./back-end.ts";

/** The stop button ends the reply on the platform; HttpAgent alone would only stop reading it. */
export class RepriseAgent extends HttpAgent {
  constructor({ url, threadId, token }: Connection) {
    const headers = { Authorization: `Bearer ${token}` };
    super({ url, threadId, headers, fetch: resumingFetch });
  }

  override abortRun(): void {
    const url = new URL(`/v1/sessions/${this.threadId}/interrupt`, this.url);
    void fetch(url, { method: "POST", headers: this.headers });
    super.abortRun();
  }
}
