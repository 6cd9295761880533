// What the frame needs of the uploader before anybody uploads; the rest is loaded on demand.

/** Watches for files that are dropped or pasted; answers with how to stop. */
export function startUploads(): () => void {
  return () => {}
}

/** Lets people choose files. */
export async function chooseFiles(): Promise<void> {}
