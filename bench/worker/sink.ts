// A queue consumer that discards messages.

export default {
  async fetch(): Promise<Response> {
    return Response.json({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } });
  },
} satisfies ExportedHandler;
