;;; Steps that both of Emacs's clients go through; run in batch mode.  -*- lexical-binding: t -*-
(require 'cl-lib)

(defun heddle-fail (what)
  (message "emacs: %s" what)
  (with-current-buffer (messages-buffer) (message "%s" (buffer-string)))
  (kill-emacs 1))

(defun heddle-wait (what condition)
  "The value of CONDITION, called until it is not nil; fails with WHAT after a minute."
  (let ((end (+ (float-time) 60)) value)
    (while (not (setq value (funcall condition)))
      (when (> (float-time) end) (heddle-fail what))
      (accept-process-output nil 0.05)
      (sit-for 0))
    value))

(defun heddle-story-in (path)
  "Fails unless the document that shows an interleaving begins with its story."
  (with-temp-buffer
    (insert-file-contents path)
    (unless (re-search-forward "^Nothing orders " nil t) (heddle-fail "no story"))
    (unless (re-search-forward "counter\\+\\+" nil t) (heddle-fail "no interleaving"))))

(defun heddle-mended ()
  "Fails unless the buffer is the text in which both threads take the lock."
  (let ((text (buffer-string)))
    (unless (equal text (with-temp-buffer (insert-file-contents (getenv "HEDDLE_TEST_MENDED")) (buffer-string)))
      (heddle-fail (concat "another text:\n" text)))))
