// Words of fields that the schemas of this room have.
export const END_USER_WORDS = {
  "EndUserRemoval.end_user_id": "The end user whose data is erased.",
  "EndUserRemoval.requested_at":
    "What was there until then is erased; a conversation that begins later stays.",
} as const;
