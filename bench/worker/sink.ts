// What a queue's messages go to where nobody consumes them.

export default {
  async fetch(): Promise<Response> {
    return Response.json({ metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } });
  },
} satisfies ExportedHandler;
