;;; Run inside Emacs with lsp-mode: a finding appears, its story is shown, a proved fix makes it go.  -*- lexical-binding: t -*-
(load (expand-file-name "emacs_steps" (file-name-directory load-file-name)))
(require 'lsp-mode)
(lsp-register-client
 (make-lsp-client :new-connection (lsp-stdio-connection (list (getenv "HEDDLE_TEST_BINARY") "lsp"))
                  :major-modes '(c-mode c++-mode)
                  :server-id 'heddle
                  :add-on? t))
(setq lsp-auto-guess-root t
      lsp-enable-snippet nil
      lsp-session-file (expand-file-name "session" (getenv "HOME")))

(find-file (getenv "HEDDLE_TEST_FILE"))
(lsp-workspace-folders-add default-directory)
(lsp)
(defun heddle-diagnostics () (gethash (lsp--fix-path-casing buffer-file-name) (lsp-diagnostics)))
(heddle-wait "no diagnostics" (lambda () (= (length (heddle-diagnostics)) 2)))
(let ((first (car (heddle-diagnostics))))
  (unless (equal (lsp:diagnostic-code? first) "data-race") (heddle-fail (format "another diagnostic: %S" first)))
  (goto-char (car (lsp--range-to-region (lsp:diagnostic-range first)))))

(defun heddle-action (pattern)
  (cl-find-if (lambda (action) (string-match-p pattern (lsp:code-action-title action))) (lsp-code-actions-at-point)))

(lsp-execute-code-action (or (heddle-action "^Show the interleaving") (heddle-fail "no action that shows the interleaving")))
(heddle-story-in
 (heddle-wait "no interleaving"
              (lambda () (car (file-expand-wildcards (concat (getenv "HEDDLE_RUNTIME_DIR") "/interleaving-*.txt"))))))

(lsp-execute-code-action (heddle-wait "no proved fix" (lambda () (heddle-action "(proved: "))))
(heddle-mended)
(save-buffer)
(heddle-wait "the finding stays" (lambda () (null (heddle-diagnostics))))
(message "ok")
(kill-emacs 0)
