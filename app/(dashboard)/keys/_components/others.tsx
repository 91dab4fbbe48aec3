/** Says how many others there are, if any, besides those that a list shows. */
export function Others({ count }: { count: number }) {
  return (
    count > 0 && (
      <p className="px-4 py-3 text-muted sm:px-6">
        {`${count.toLocaleString("en")} more, which a search finds too.`}
      </p>
    )
  );
}
