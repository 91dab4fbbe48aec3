/** An HTTP method as a small badge. */
export function Method({ method }: { method: string }) {
  return <span className="method">{method}</span>;
}
