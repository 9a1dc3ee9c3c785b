"""The packages of audiomill: each folder in four that has an `__init__.py`."""

from setuptools import find_packages, setup

FOLDERS = find_packages(include=["inputs*", "renderers*", "outputs*", "flows*"])

setup(
    # The repository is the package: `audiomill.inputs` is the folder `inputs`.
    package_dir={"audiomill": "."},
    packages=["audiomill", *(f"audiomill.{folder}" for folder in FOLDERS)],
    script_name="setup.py",  # so this file is known to be no module of the package
)
