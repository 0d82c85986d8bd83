// The names of cached deliveries.

export function deliveriesKey(endpointId: string): readonly string[] {
  return ["deliveries", endpointId];
}

export function deliveryKey(endpointId: string, deliveryId: string): readonly string[] {
  return ["delivery", endpointId, deliveryId];
}
