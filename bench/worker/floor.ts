// The floor: what a token costs when a Worker does nothing but pass the model's bytes on.

export default {
  /** `?model=<address>`: posts the request's body there and answers with what comes back. */
  async fetch(request): Promise<Response> {
    const model = new URL(request.url).searchParams.get("model") ?? "";
    const headers = { "content-type": "application/json" };
    return new Response((await fetch(model, { method: "POST", headers, body: request.body })).body);
  },
} satisfies ExportedHandler;
