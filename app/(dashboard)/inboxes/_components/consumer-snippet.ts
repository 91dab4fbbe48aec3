/** A worker that works as it stands: it takes an event, works, and acknowledges with the next call. */
export function consumerSnippet(apiUrl: string, isOwned: boolean): string {
  const key = isOwned ? ' -H "Authorization: Bearer $API_KEY"' : "";
  return `ack='[]'
while got=$(curl -sf ${apiUrl}/events/receive${key} \\
    -d '{"wait_seconds": 20, "ack": '"$ack"'}'); do
  echo "$got" | jq -c '.data[] | .body'   # your work
  ack=$(echo "$got" | jq -c '[.data[] | {event_id: .id, lease_id}]')
done`;
}
