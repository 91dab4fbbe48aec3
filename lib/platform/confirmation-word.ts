/** Words separated by single spaces: several look like one, and other spaces cannot be typed. */
const TYPEABLE = /^[^\p{C}\p{Z}]+(?: [^\p{C}\p{Z}]+)*$/u;

/**
 * The word to type before a deletion: the name, or the ID if the name has characters that cannot be
 * typed. Keyboards compose accents, as NFC does.
 */
export function confirmationWord({ id, name }: { id: string; name: string }): string {
  return TYPEABLE.test(name) && name === name.normalize("NFC") ? name : id;
}
