/** A label by which the platform knows a message again, as `randomId` makes it: a part takes no values of the core. */
export function messageId(): string {
  const random = () => Math.random().toString(36).slice(2);
  return `msg_${random()}${random()}`;
}
