import { ActionForm, type FormAction, Submit } from "@/components/ui/action-form";
import { InputField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";

interface Props {
  action: FormAction;
  /** The text to type, exactly. */
  typed: string;
  submit: string;
}

/** Confirms an irreversible deletion. It works without scripts, unlike a dialog. */
export function DeleteForm({ action, typed, submit }: Props) {
  return (
    <ActionForm
      action={action}
      className="grid max-w-[32rem] grid-cols-1 gap-4 px-4 py-6 wrap-anywhere sm:px-6"
    >
      <InputField
        label={`Type ${typed} to confirm`}
        name="typed"
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <div className="flex flex-wrap gap-2">
        <Submit className="button button-danger">{submit}</Submit>
        <Link href="/settings" className="button">
          Cancel
        </Link>
      </div>
    </ActionForm>
  );
}
