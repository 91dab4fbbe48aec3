import NextLink from "next/link";
import type { ComponentProps } from "react";

/** Next's link without its prefetch, since every page reads the database. */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />;
}
