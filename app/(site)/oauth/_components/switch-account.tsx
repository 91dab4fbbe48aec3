import { switchAccount } from "../authorize/actions";

/** Signs out, and comes back to `here` after the next sign-in. */
export function SwitchAccount({ here }: { here: string }) {
  return (
    <form action={switchAccount} className="mt-4">
      <input type="hidden" name="next" value={here} />
      <button type="submit" className="link">
        Use another account
      </button>
    </form>
  );
}
